import type { LintRule } from '../../rule-api/lint-rule.ts';
import { HOST_SPOOFING } from './read/host-spoofing.ts';
import { LOOKUP_CASE } from './read/lookup-case.ts';
import { SPOOFABLE_IDENTITY } from './read/spoofable-identity.ts';
import { TRUSTS_CLIENT_IP_HEADER } from './read/trusts-client-ip-header.ts';
import { UA_ONLY_AUTH } from './read/ua-only-auth.ts';
import { COOKIE_FLAGS } from './set/cookie-flags.ts';
import { CORS_REFLECT_ORIGIN } from './set/cors-reflect-origin.ts';
import { DUPLICATE_CASE } from './set/duplicate-case.ts';
import { DUPLICATE_VALUES } from './set/duplicate-values.ts';
import { HOP_BY_HOP } from './set/hop-by-hop.ts';
import { INJECTION } from './set/injection.ts';
import { NAME_INVALID } from './set/name-invalid.ts';
import { OVERRIDE_HEADERS } from './set/override-headers.ts';
import { RESERVED } from './set/reserved.ts';
import { SECURITY_REMOVED } from './set/security-removed.ts';
import { VALUE_INVALID } from './set/value-invalid.ts';
import { VARY_MISSING } from './set/vary-missing.ts';

/** Lint rules about headers that are read, set or removed. */
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
