/** The commonest words of English, which everybody uses and nobody notices: how often tells writers apart. */
export const FUNCTION_WORDS: readonly string[] = (
  'the of and to a in that it is was for on with as at by from or an be this but not are which have has had they you we ' +
  'if when so can will would could should there their what all more than then them these those into only about just ' +
  'because while also very really even still now however though where how who why'
).split(' ')
