import { API } from './api.ts';
import { BLOCK } from './block.ts';
import { CANARY } from './canary.ts';
import { MAINTENANCE } from './maintenance.ts';
import type { PolicyTemplate } from './policy-template.ts';
import { RATE_LIMIT } from './rate-limit.ts';
import { REDIRECT } from './redirect.ts';
import { TCP } from './tcp.ts';
import { WEBHOOK } from './webhook.ts';

/** All templates, in the order in which they are offered. */
export const POLICY_TEMPLATES: readonly PolicyTemplate[] = [
  API,
  RATE_LIMIT,
  BLOCK,
  CANARY,
  WEBHOOK,
  TCP,
  MAINTENANCE,
  REDIRECT,
];

/** The names of all templates. */
export const TEMPLATE_NAMES: readonly string[] = POLICY_TEMPLATES.map(({ name }) => name);
