import type { StringSql } from '../columns/plain-form.ts';
import { sqlText } from './session.ts';

/** How DuckDB looks into strings. */
export const DUCKDB_STRINGS: StringSql = {
  matches: (value, pattern) => `regexp_matches(${value}, ${sqlText(pattern)})`,
  extract: (value, pattern) => `regexp_extract(${value}, ${sqlText(pattern)}, 1)`,
  contains: (value, text) => `contains(${value}, ${sqlText(text)})`,
};
