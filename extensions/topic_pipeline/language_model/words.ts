const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)?/gu

/** Words of a text in order, in lower case. Code points that look alike are one (NFKC). */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? []
}

/** English words that say nothing about a subject. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again all also although always am among an and another any anyone anything are aren’t around as at away ' +
    'back be became because become been before being below best better between both but by came can can’t cannot come could ' +
    'did didn’t do does doesn’t doing don’t done down during each either else enough ever every everything few find first for from ' +
    'get gets getting give given go goes going good got had has have haven’t having he her here hers him his how however i i’d i’ll ' +
    'i’m i’ve if in instead into is isn’t it it’s its itself just keep know last least less let let’s like little ll long look lot ' +
    'made make makes making many may maybe me might more most much must my need needs never new next no nor not nothing now of off ' +
    'often on once one only onto or other others our out over own part people per perhaps put quite rather re really right said same ' +
    'say see seen set several she should simply since so some someone something soon still such sure take takes tell than that that’s ' +
    'the their them then there there’s these they they’re thing things think this those though three through time to today together ' +
    'too two under until up upon us use used uses using ve very via want was wasn’t way we we’ll we’re we’ve well went were what ' +
    'what’s when where whether which while who whole why will with within without won’t would yes yet you you’ll you’re you’ve your'
  )
    .split(' ')
    .flatMap(word => [word, word.replace('’', "'")]),
)
