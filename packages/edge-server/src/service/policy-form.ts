// Policies as they are stored: the object of `/policy` or the string of `/traffic_policy`.

import { parse } from 'yaml';
import { isMembers, type Members } from '../api-error.ts';

/** Returns the form of `/policy`; undefined if the policy contains something that `/policy` cannot represent. */
export function policyObject(kept: Members): Members | undefined {
  const { enabled, value, object } = kept;
  if (typeof value !== 'string') return kept;
  // Strings stored by earlier releases have no object form.
  const form = object === undefined ? objectForm(value) : object;
  return isMembers(form) ? { ...form, enabled: form.enabled !== false && enabled !== false } : undefined;
}

/** Returns the form of `/traffic_policy`. */
export function policyText(kept: Members): Members {
  const { enabled = true, value, inbound = null, outbound = null } = kept;
  if (typeof value === 'string') return kept;
  const phases = { ...(inbound !== null && { inbound }), ...(outbound !== null && { outbound }) };
  return { enabled, value: JSON.stringify(phases) };
}

const PHASES = new Set(['enabled', 'inbound', 'outbound']);

/** Reads a policy that has been checked, so that its rules have the expected shape; undefined if `/policy` cannot represent it. */
export function objectForm(text: string): Members | undefined {
  const document: unknown = parse(text);
  if (!isMembers(document) || !Object.keys(document).every(key => PHASES.has(key))) return undefined;
  const { enabled, inbound, outbound } = document;
  return { enabled: enabled !== false, inbound: rules(inbound), outbound: rules(outbound) };
}

function rules(value: unknown): unknown {
  if (!Array.isArray(value)) return null;
  return value.filter(isMembers).map(({ name = '', expressions, actions }) => ({
    name,
    expressions: expressions ?? [],
    actions: Array.isArray(actions)
      ? actions.filter(isMembers).map(({ type, config }) => ({ type, config: config ?? null }))
      : [],
  }));
}
