import type { CodeDescription } from '@tollgate/diagnostics';
import { CONFIG_CODES, TESTS_CODES } from './config-codes.ts';
import { DOCUMENT_CODES, JSON_CODES } from './document-codes.ts';
import { MIGRATE_CODES } from './migrate-codes.ts';
import { FUNCTION_CODES, PLACE_CODES, POLICY_CODES, REFUSAL_CODES } from './policy-codes.ts';
import { YAML_CODES, YAML_TRAP_CODES } from './yaml-codes.ts';

/** Every code that reading, analysing and migrating policies reports, beside those of expressions. */
export const POLICY_PACKAGE_CODES: readonly CodeDescription[] = [
  ...YAML_CODES,
  ...YAML_TRAP_CODES,
  ...JSON_CODES,
  ...POLICY_CODES,
  ...CONFIG_CODES,
  ...REFUSAL_CODES,
  ...PLACE_CODES,
  ...DOCUMENT_CODES,
  ...FUNCTION_CODES,
  ...MIGRATE_CODES,
  ...TESTS_CODES,
];
