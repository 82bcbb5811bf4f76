import type { EndpointKind, Profile } from '@tollgate/catalog';
import { type Diagnostic, ExternalError, type SourceText } from '@tollgate/diagnostics';
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
  /** What a file is for instead, by its path. */
  readonly ofFile: (path: string) => Partial<WhatFor>;
  /** Gives a profile as it is here. */
  readonly adapt: (profile: Profile) => Profile;
}

/** What a policy is written for. */
export interface WhatFor {
  readonly profile: Profile | undefined;
  readonly endpoint: EndpointKind | undefined;
}

/** The settings with what the command line or a file of tests says, which wins over what holds for files. */
export function settingsSaying(settings: Settings, { profile, endpoint }: WhatFor): Settings {
  const over = (less: Partial<WhatFor>): WhatFor => ({
    profile: profile ?? less.profile,
    endpoint: endpoint ?? less.endpoint,
  });
  return { ...settings, ...over(settings), ofFile: path => over(settings.ofFile(path)) };
}

/** What one document is checked for, and how that was told. */
export interface Target extends Required<Pick<AnalysisOptions, 'profile' | 'endpoint' | 'environments'>> {
  /** Undefined when it was said. */
  readonly detected: DetectedProfile | undefined;
}

/** Gives what a document is checked for; `isFor` where the document says it itself. Environments are made once. */
export function createTargeting(
  settings: Settings,
): (source: SourceText, isFor?: EndpointKind) => Target | ExternalError {
  const made = new Map<string, { readonly profile: Profile; readonly environments: PhaseEnvironments }>();
  return (source, isFor) => {
    const own = settings.ofFile(source.uri);
    const said = own.profile ?? settings.profile;
    const detected = said ? undefined : detectProfile(source.text);
    const profile = said ?? detected!.profile;
    const endpoint = isFor ?? own.endpoint ?? settings.endpoint ?? profile.endpoints[0]!;
    if (!profile.endpoints.includes(endpoint))
      return new ExternalError('usage/endpoint', wrongEndpoint(source, profile, endpoint));
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

/** What a wrong profile may be the reason of: names, keys, actions and places that it does not have. */
const MAY_FOLLOW = /^(?:name|phase|endpoint)\/|^(?:policy|config)\/(?:unknown|missing)-/;

/**
 * Where a document has errors and its profile was guessed, that may be why: says so at what told it. The oldest profile is taken
 * without mention.
 */
export function explainDetection(
  { detected }: Target,
  uri: string,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  const { profile, evidence, isCertain } = detected ?? {};
  const isWrong = found.some(({ severity, code }) => severity === 'error' && MAY_FOLLOW.test(code));
  if (!isWrong || !profile || !evidence || isCertain || profile.name === 'edge-v2') return [];
  const message = `read as the profile \`${profile.name}\` because of this name; \`--profile\` says otherwise`;
  const args = { profile: profile.name };
  return [{ code: 'profile/detected', severity: 'info', message, uri, range: evidence, args }];
}

/** As {@link explainDetection} for the files of a run, of which the first that it holds for is explained: it holds for its neighbours too. */
export function createDetectionNote(): typeof explainDetection {
  let isSaid = false;
  return (target, uri, found) => {
    const note = isSaid ? [] : explainDetection(target, uri, found);
    isSaid ||= note.length > 0;
    return note;
  };
}
