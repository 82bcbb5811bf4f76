// Parsing speed beside `@marcbachmann/cel-js`, whose parser is written by hand: `node --conditions=tollgate-source test/bench/parse.ts`.

import { Environment } from '@marcbachmann/cel-js';
import { DEFAULT_LIMITS } from '../../packages/cel/src/limits.ts';
import { macroTable } from '../../packages/cel/src/syntax/macro-table.ts';
import { parse } from '../../packages/cel/src/syntax/parse.ts';
import { PARSE_CASES } from './parse-cases.ts';

const ROUNDS = 9;
const SAMPLE_NANOSECONDS = 20_000_000;

const env = { macros: macroTable(STANDARD_MACROS), limits: DEFAULT_LIMITS };
