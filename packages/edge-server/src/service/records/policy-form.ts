import { parse } from 'yaml';
import { isMembers, type Members } from '../../api/members.ts';

/** A policy in its two forms: the object of `/policy` and the string of `/traffic_policy`. */
interface PolicyForms {
  /** Undefined if the string contains something that `/policy` cannot represent. */
  readonly object: Members | undefined;
  readonly text: Members;
}

/** Returns both forms of a stored policy, which may be stored in either. */
export function policyForms(kept: Members): PolicyForms {
  const { enabled = true, value, inbound = null, outbound = null } = kept;
  if (typeof value !== 'string') {
    const phases = { ...(inbound !== null && { inbound }), ...(outbound !== null && { outbound }) };
    return { object: kept, text: { enabled, value: JSON.stringify(phases) } };
  }
  return { object: objectForm(value, enabled), text: kept };
}

const PHASES = new Set(['enabled', 'inbound', 'outbound']);

/** Policies are checked before they are stored, so rules have the expected shape. */
function objectForm(text: string, enabled: unknown): Members | undefined {
  const document: unknown = parse(text);
  if (!isMembers(document) || !Object.keys(document).every(key => PHASES.has(key))) return undefined;
  const { inbound, outbound } = document;
  return {
    enabled: enabled === true && document.enabled !== false,
    inbound: rules(inbound),
    outbound: rules(outbound),
  };
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
