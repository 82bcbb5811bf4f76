import type { Phase, Profile } from '@tollgate/catalog';
import { canonicalHeaderName, sharedVariables } from '@tollgate/policy';
import type { SharedNames } from '../inputs/reader-context.ts';

/** How one profile calls what both have. */
export interface ProfileNames extends SharedNames {
  /** Returns the key of a configuration. */
  readonly keyOf: (action: string, key: string) => string;
}

/** How policies of two profiles are compared. */
export interface ProfilePair {
  readonly before: ProfileNames;
  readonly after: ProfileNames;
  /** Phases that run at the same time; undefined where a profile has none. */
  readonly phases: readonly (readonly [before: Phase | undefined, after: Phase | undefined])[];
}

/** Returns how policies for HTTP of two profiles are compared; undefined if nothing is known about what they share. */
export function profilePair(before: Profile, after: Profile): ProfilePair | undefined {
  const forward = pairFrom(before, after);
  if (forward !== undefined) return forward;
  const backward = pairFrom(after, before);
  if (backward === undefined) return undefined;
  const phases = backward.phases.map(([earlier, later]) => [later, earlier] as const);
  return { before: backward.after, after: backward.before, phases };
}

/** As {@link profilePair}, for a profile and a later one. */
function pairFrom(earlier: Profile, later: Profile): ProfilePair | undefined {
  const shared = sharedVariables(earlier, later);
  if (shared === undefined) return undefined;
  const { renamed, headerMaps, absent, renamedKeys } = shared;
  const headers = new Set([...headerMaps].flatMap(path => [path, renamed.get(path) ?? path]));
  const isCanonical = earlier.headerNames === 'canonical';
  const laterName: SharedNames['nameOf'] = steps => headerKey(steps, headers, name => name === name.toLowerCase());
  const earlierName: SharedNames['nameOf'] = steps => {
    const named = headerKey(
      steps,
      headers,
      name => name === (isCanonical ? canonicalHeaderName(name) : name.toLowerCase()),
    );
    for (let end = named.length; end > 0; end--) {
      const path = renamed.get(named.slice(0, end).join('.'));
      if (path !== undefined) return [...path.split('.'), ...named.slice(end)];
    }
    return named;
  };
  const phases = [...earlier.phases.map(phase => [phase, LATER[phase]] as const)];
  const others = later.phases.filter(phase => !phases.some(([, other]) => other === phase));
  return {
    before: {
      nameOf: earlierName,
      absentAs: () => undefined,
      keyOf: (action, key) => renamedKeys[action]?.[key] ?? key,
    },
    after: { nameOf: laterName, absentAs: path => absent.get(path), keyOf: (_, key) => key },
    phases: [...phases, ...others.map(phase => [undefined, phase] as const)],
  };
}

const LATER: Partial<Record<Phase, Phase>> = { inbound: 'on_http_request', outbound: 'on_http_response' };

/** Writes the key of a header in lower case. One that the profile writes in another way has no header, and keeps a capital letter. */
function headerKey(
  steps: readonly (string | number)[],
  headers: ReadonlySet<string>,
  isUsual: (name: string) => boolean,
): readonly (string | number)[] {
  const [side, map, name, ...rest] = steps;
  if (typeof name !== 'string' || name.startsWith('?') || !headers.has(`${side}.${map}`)) return steps;
  return [side!, map!, isUsual(name) ? name.toLowerCase() : `N:${name}`, ...rest];
}
