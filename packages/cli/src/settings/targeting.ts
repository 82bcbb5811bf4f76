import type { EndpointKind, Profile } from '@tollgate/catalog';
import { type Diagnostic, type SourceText, WorldError } from '@tollgate/diagnostics';
import {
  type AnalysisOptions,
  createPhaseEnvironments,
  type DetectedProfile,
  detectProfile,
  type PhaseEnvironments,
} from '@tollgate/policy';

/** What policies are checked for; what is left out is told by each document. */
export interface Settings {
  readonly profile: Profile | undefined;
  readonly endpoint: EndpointKind | undefined;
  /** Gives a profile as it is here. */
  readonly adapt: (profile: Profile) => Profile;
}

/** What one document is checked for, and how that was told. */
export interface Target extends Required<Pick<AnalysisOptions, 'profile' | 'endpoint' | 'environments'>> {
  /** Undefined when it was said. */
  readonly detected: DetectedProfile | undefined;
}

/** Gives what a document is checked for. Environments are made once. */
export function createTargeting(settings: Settings): (source: SourceText) => Target | WorldError {
  const made = new Map<string, { readonly profile: Profile; readonly environments: PhaseEnvironments }>();
  return source => {
    const detected = settings.profile ? undefined : detectProfile(source.text);
    const profile = settings.profile ?? detected!.profile;
    const endpoint = settings.endpoint ?? profile.endpoints[0]!;
    if (!profile.endpoints.includes(endpoint))
      return new WorldError('usage/endpoint', wrongEndpoint(source, profile, endpoint));
    const key = `${profile.name} ${endpoint}`;
    const adapted = made.get(key) ?? adapt(settings.adapt(profile), endpoint);
    made.set(key, adapted);
    return { ...adapted, endpoint, detected };
  };
}

function adapt(profile: Profile, endpoint: EndpointKind) {
  return { profile, environments: createPhaseEnvironments(profile, endpoint) };
}

function wrongEndpoint({ uri }: SourceText, profile: Profile, endpoint: EndpointKind): string {
  const known = profile.endpoints.map(one => `\`${one}\``).join(', ');
  return `\`${uri}\` is of the profile \`${profile.name}\`, which has no endpoint \`${endpoint}\`, only ${known}`;
}

/**
 * Where a document has errors and its profile was guessed, that may be why: says so at what told it. The oldest profile is taken
 * without mention.
 */
export function explainDetection(
  { detected }: Target,
  uri: string,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  const { profile, evidence } = detected ?? {};
  const isWrong = found.some(diagnostic => diagnostic.severity === 'error');
  if (!isWrong || !profile || !evidence || profile.name === 'edge-v2') return [];
  const message = `read as the profile \`${profile.name}\` because of this name; \`--profile\` says otherwise`;
  const args = { profile: profile.name };
  return [{ code: 'profile/detected', severity: 'info', message, uri, range: evidence, args }];
}
