/** A scene of a script: what is seen, and what the speaker is asked to say in words of their own. */
export interface Scene {
  readonly heading: string
  readonly visual: string
  readonly cue: string
}

/** In the order in which a subject is told. Together they are longer than a script may be short, without a quotation. */
export const SCENES: readonly Scene[] = [
  {
    heading: 'What this is about',
    visual: 'The subject in one sentence on the screen',
    cue: 'Say in one breath what this is, for somebody who hears the name for the first time. Then say who has the problem that it solves, and what that problem looks like on an ordinary day at work. Leave out the history; there is time for it later, if anybody asks. If you need a word that your neighbour would not know, explain it here, once, and use it from now on.',
  },
  {
    heading: 'Why now',
    visual: 'A timeline',
    cue: 'What has changed that makes this worth a video today and not a year ago? Name the one thing, and what people did before it. If nothing has changed and it is only that nobody talks about it, say exactly that: viewers forgive an old subject, but not a pretended novelty.',
  },
  {
    heading: 'The parts',
    visual: 'A diagram of the parts',
    cue: 'Let us take that apart slowly. Name the parts you see here, one after the other, and say in plain words what each of them is for and which of them people usually overlook. Follow one thing on its way through all of them, from where it comes in to where it comes out, and stop where it could get lost.',
  },
  {
    heading: 'Seeing it work',
    visual: 'Screen recording',
    cue: 'Now show it. Do it once at normal speed while you talk, so that everybody has seen that it works and how long it really takes. Then do it again, stop at the moment where it usually goes wrong, and say what you look at first when that happens to you. Keep the mistakes in: they are what people remember.',
  },
  {
    heading: 'A story',
    visual: 'You, close to the camera',
    cue: 'Tell a story here. When did you meet this for the first time, what did you believe then, and what do you know today that you wish somebody had told you? Give it a beginning, a moment where it could have gone either way, and an end. One detail that only somebody who was there can know is worth more than three general remarks.',
  },
  {
    heading: 'How it came to this',
    visual: 'An old photograph, or an old screenshot',
    cue: 'Go back a little. Somebody built the first version of this because something else no longer worked. What was it, and which of the reasons they had then still hold? You do not have to know the whole history: one wrong turn that people took, and how they noticed, tells more about the thing than all of its dates. Then come back to today.',
  },
  {
    heading: 'A smaller example',
    visual: 'Pen and paper',
    cue: 'Put the computer away for a moment and do it once by hand, with three or four pieces that fit on a sheet of paper. Move them about while you talk, and let the viewer guess what comes next before you show it. What they have understood on paper they will recognise on the screen, and what they have not understood you will hear in the comments.',
  },
  {
    heading: 'Before and after',
    visual: 'Before and after, side by side',
    cue: 'Compare the two. What was there before, what is there now, what did the change cost, and for whom is it not worth the trouble at all? Be honest about the price, in hours and in nerves as well as in money. If you have a number of your own, show where it comes from; if you have none, say so and describe what you noticed instead.',
  },
  {
    heading: 'What people get wrong',
    visual: 'The sentence on the screen, with one word struck out',
    cue: 'Read that once more, because it is easy to miss. There is a wrong version of this that sounds just as good, and you have probably heard it. Say it aloud, say what is true about it, and then where it breaks. Give one example from your own work that shows it, and one that does not fit, so that nobody takes your rule for a law.',
  },
  {
    heading: 'Where the sources disagree',
    visual: 'The sources side by side',
    cue: 'They do not all say the same. Which of them would you follow, in which situation, and why? Say who wrote each of them and what they had in front of them at the time: a large team and a small one need different answers, and both can be right. Where you are not sure yourself, say what you would have to try in order to find out.',
  },
  {
    heading: 'When to leave it alone',
    visual: 'A stop sign',
    cue: 'Now the other side. When would you advise against all of this? Describe the team, the size or the moment for which the simple way is the better one, and what that simple way is. It is a short part of the video, and for some of those who watch it is the one that saves them a month.',
  },
  {
    heading: 'Who does it how',
    visual: 'Three desks, three screens',
    cue: 'Think of three people you know who have to deal with this: one who is just beginning, one who has done it for years, and one who only pays the bill. What would each of them want to hear from you, and what would bore them? Speak to all three in turn, a few sentences each, and say openly which of them you are yourself. It makes clear for whom you are talking and from where.',
  },
  {
    heading: 'What it costs',
    visual: 'A receipt',
    cue: 'Now the bill. What does it take to begin, and what does it take every week after that? Count the hours of the people who keep it alive, the things they have to learn first, and what lies idle because of it. Then say what it saves, and how long it takes until the one is more than the other. An honest guess with its reasons is better here than a precise figure without them.',
  },
  {
    heading: 'How to know that it works',
    visual: 'A dashboard with one line on it',
    cue: 'How would you notice, a month from now, whether this was a good idea? Choose one thing that you can look at without asking anybody, say where it stands today, and where you would like to see it. Say as well what would make you give up and go back, because it is easier to promise that before you have begun than afterwards.',
  },
  {
    heading: 'If you are on your own',
    visual: 'A single chair in a large room',
    cue: 'Not everybody has a team behind them. What is the smallest version of all this that one person can keep running beside everything else they have to do? Say what you would leave out first, what you would never leave out, and which shortcut looks tempting but comes back to bite you. Two or three sentences are enough, but make them count.',
  },
  {
    heading: 'Three steps for tomorrow',
    visual: 'A short list, line by line',
    cue: 'Give three steps somebody can take tomorrow morning. Keep each of them to a sentence, let the first one take less than an hour, and say how they will notice that a step has worked before they take the next one. Say what to do when it has not worked, too: whom to ask, what to look at, and how to get back to where they were.',
  },
  {
    heading: 'Questions you will be asked',
    visual: 'Comments from the last video',
    cue: 'Pick two questions that you hear again and again, and answer them the way you would answer a colleague. How much does it cost? What happens when it fails in the middle of the night? Does it work with what we already have? Short answers are enough, and “I do not know yet” is one of them.',
  },
  {
    heading: 'What to remember',
    visual: 'One sentence on an empty screen',
    cue: 'If somebody remembers a single sentence of this video, which one should it be? Say it slowly, say it once more in other words, and leave it standing for a moment. Then tell them what you are going to try next yourself, and when you will come back and report whether it was a good idea.',
  },
  {
    heading: 'Reading on',
    visual: 'The sources as a list',
    cue: 'Go through the sources in a sentence each: which one to read first, which one has the code, and which one to keep for a quiet hour. Say what you took from each of them and where you went your own way, so that people who check your work know where to begin.',
  },
  {
    heading: 'One last thing',
    visual: 'You, at your desk',
    cue: 'There is always something that did not fit anywhere else: a small tool, a setting that nobody knows, a person whose work on this deserves to be seen. Give it half a minute here, say where it is to be found, and why it made you smile.',
  },
]
