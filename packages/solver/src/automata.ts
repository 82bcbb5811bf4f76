// Languages of strings and their automata. For the tests of this repository.

export { acceptsString } from './strings/automaton.ts';
export { Language } from './strings/language.ts';
export {
  beforeLanguage,
  complementLanguage,
  type Intern,
  integerLanguage,
  intersectionLanguage,
  partLanguage,
  patternLanguage,
  prefixLanguage,
  sizeLanguage,
  suffixLanguage,
  wordsLanguage,
} from './strings/languages.ts';
export {
  appending,
  LOWER_ASCII,
  mappingFunction,
  preimageLanguage,
  prepending,
  UPPER_ASCII,
  unicodeMapping,
} from './strings/preimages.ts';
export { INT64 } from './values/int-set.ts';
