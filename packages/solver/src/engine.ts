// The parts of the engine. For the tests of this repository.

export { Budget } from './logic/budget.ts';
export { Graph, type Signal } from './logic/graph.ts';
export { search, type Theory } from './logic/search.ts';
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
export { decideIntegers, type IntLiteral } from './theory/integers.ts';
export { decideLists, type ListLiteral } from './theory/lists.ts';
export { INT64 } from './values/int-set.ts';
