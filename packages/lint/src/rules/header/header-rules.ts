import type { LintRule } from '../../rule/lint-rule.ts';
import { COOKIE_FLAGS } from './cookie-flags.ts';
import { CORS_REFLECT_ORIGIN } from './cors-reflect-origin.ts';
import { DUPLICATE_CASE } from './duplicate-case.ts';
import { DUPLICATE_VALUES } from './duplicate-values.ts';
import { HOP_BY_HOP } from './hop-by-hop.ts';
import { HOST_SPOOFING } from './host-spoofing.ts';
import { INJECTION } from './injection.ts';
import { LOOKUP_CASE } from './lookup-case.ts';
import { NAME_INVALID } from './name-invalid.ts';
import { OVERRIDE_HEADERS } from './override-headers.ts';
import { RESERVED } from './reserved.ts';
import { SECURITY_REMOVED } from './security-removed.ts';
import { SPOOFABLE_IDENTITY } from './spoofable-identity.ts';
import { TRUSTS_CLIENT_IP_HEADER } from './trusts-client-ip-header.ts';
import { UA_ONLY_AUTH } from './ua-only-auth.ts';
import { VALUE_INVALID } from './value-invalid.ts';
import { VARY_MISSING } from './vary-missing.ts';

/** Headers that are read, set and removed. */
export const HEADER_RULES: readonly LintRule[] = [
  NAME_INVALID,
  VALUE_INVALID,
  INJECTION,
  HOP_BY_HOP,
  RESERVED,
  LOOKUP_CASE,
  DUPLICATE_CASE,
  SECURITY_REMOVED,
  VARY_MISSING,
  CORS_REFLECT_ORIGIN,
  TRUSTS_CLIENT_IP_HEADER,
  HOST_SPOOFING,
  UA_ONLY_AUTH,
  COOKIE_FLAGS,
  SPOOFABLE_IDENTITY,
  DUPLICATE_VALUES,
  OVERRIDE_HEADERS,
];
