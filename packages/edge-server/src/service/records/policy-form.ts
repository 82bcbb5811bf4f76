import { parse } from 'yaml';
import { isMembers, type Members } from '../../api/members.ts';

/** One policy in its two spellings: rules in the phases of `/policy`, or the text of `/traffic_policy`. */
export interface PolicyForms {
  /** Undefined when the text has what `/policy` cannot say. */
  readonly object: Members | undefined;
  readonly text: Members;
}

/** Both spellings of the policy that is kept, in whichever it was sent. */
export function policyForms(kept: Members): PolicyForms {
  const { enabled = true, value, inbound = null, outbound = null } = kept;
  if (typeof value !== 'string') {
    const phases = { ...(inbound !== null && { inbound }), ...(outbound !== null && { outbound }) };
    return { object: kept, text: { enabled, value: JSON.stringify(phases) } };
  }
  return { object: objectForm(value, enabled), text: kept };
}

const PHASES = new Set(['enabled', 'inbound', 'outbound']);

/** Only what is checked before it is kept comes here, so that the shape of the rules needs no look. */
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
