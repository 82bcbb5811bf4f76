import { type Availability, type EvaluationContext, isAvailable, type Profile } from '@tollgate/catalog';
import type { Diagnostic } from '@tollgate/diagnostics';

/**
 * Explains a name that is unknown here but exists in another phase or on another endpoint kind. Returns the
 * explanation, or the given diagnostic if there is none.
 */
export function explainAvailability(diagnostic: Diagnostic, profile: Profile, place: EvaluationContext): Diagnostic {
  const found = findElsewhere(diagnostic, profile);
  if (!found || found.facts.length === 0 || found.facts.some(fact => isAvailable(fact, place))) return diagnostic;
  const { fixes: _, ...rest } = diagnostic;
  const area = found.facts.some(fact => fact.endpoints.includes(place.endpoint)) ? 'phase' : 'endpoint';
  const available = [...new Set(found.facts.flatMap(fact => (area === 'phase' ? fact.phases : fact.endpoints)))];
  return {
    ...rest,
    code: `${area}/${found.what}-unavailable`,
    message: unavailableMessage(found.name, place, area, available),
    args: { name: found.name, [area]: place[area], available },
  };
}

/** `` `res` is not available in `inbound`, only in `outbound` ``. */
export function unavailableMessage(
  name: string,
  place: EvaluationContext,
  area: 'phase' | 'endpoint',
  available: readonly string[],
): string {
  const preposition = area === 'phase' ? 'in' : 'on';
  const where = available.map(one => `\`${one}\``).join(' or ');
  return `\`${name}\` is not available ${preposition} \`${place[area]}\`, only ${preposition} ${where}`;
}

interface Found {
  readonly what: 'variable' | 'function';
  readonly name: string;
  readonly facts: readonly Availability[];
}

function findElsewhere({ code, args }: Diagnostic, profile: Profile): Found | undefined {
  switch (code) {
    case 'name/undeclared-reference':
      return variablesUnder(String(args.name), profile);
    case 'name/undeclared-field':
      return variablesUnder(`${args.type}.${args.field}`, profile);
    case 'name/undeclared-function': {
      const name = String(args.name);
      return { what: 'function', name, facts: profile.functions.filter(fact => fact.name === name) };
    }
    default:
      return undefined;
  }
}

function variablesUnder(path: string, profile: Profile): Found {
  const facts = profile.variables.filter(fact => fact.path === path || fact.path.startsWith(`${path}.`));
  return { what: 'variable', name: path, facts };
}
