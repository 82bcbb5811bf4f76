import { type EndpointKind, extendProfile, type Profile } from '@tollgate/catalog';
import { type Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import {
  type AnalysisOptions,
  createPhaseEnvironments,
  type DetectedProfile,
  detectProfile,
  type EmbeddedPolicy,
  type FormatOptions,
  hasStandIns,
  type PhaseEnvironments,
  STAND_IN_VARIABLE,
} from '@tollgate/policy';

/** Settings for checking policies; undefined values are detected from each document. */
export interface Settings {
  readonly profile: Profile | undefined;
  readonly endpoint: EndpointKind | undefined;
  /** Overrides for one file, by path. */
  readonly ofFile: (path: string) => Partial<WhatFor>;
  /** Applies switches, limits and extensions to a profile. */
  readonly adapt: (profile: Profile) => Profile;
  /** The quotes that formatting prefers. */
  readonly quotes?: FormatOptions['quotes'];
}

/** The profile and endpoint that a policy is written for. */
export interface WhatFor {
  readonly profile: Profile | undefined;
  readonly endpoint: EndpointKind | undefined;
}

/** Returns the settings with the profile and endpoint of the command line or a test file, which win over per-file settings. */
export function settingsSaying(settings: Settings, { profile, endpoint }: WhatFor): Settings {
  const over = (less: Partial<WhatFor>): WhatFor => ({
    profile: profile ?? less.profile,
    endpoint: endpoint ?? less.endpoint,
  });
  return { ...settings, ...over(settings), ofFile: path => over(settings.ofFile(path)) };
}

/** The profile, endpoint and environments that a document is checked against. */
export interface Target extends Required<Pick<AnalysisOptions, 'profile' | 'endpoint' | 'environments'>> {
  /** Undefined if the profile was given. */
  readonly detected: DetectedProfile | undefined;
  /** The quotes that formatting prefers. */
  readonly quotes?: FormatOptions['quotes'];
}

/** Returns the target of a document. `isFor` is the endpoint that the document itself states. */
export type Targeting = (source: SourceText, isFor?: EndpointKind) => Target | ExternalError;

/** Returns a function from documents to targets, which creates each environment once. */
export function createTargeting(settings: Settings): Targeting {
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
    return { ...adapted, endpoint, detected, ...(settings.quotes && { quotes: settings.quotes }) };
  };
}

/**
 * Returns the target of a policy in a file: settings are those of the file, the profile is detected from the policy alone, and an
 * endpoint that its surroundings state counts if the profile has it.
 */
export function targetOfEmbedded(policy: EmbeddedPolicy, targetOf: Targeting): Target | ExternalError {
  const { file, source, part, range, endpoint } = policy;
  const { start, end } = part ? range : { start: 0, end: source.text.length };
  const text = new SourceText(file.uri, source.text.slice(start, end));
  const first = targetOf(text);
  const isStated = !(first instanceof ExternalError) && endpoint && first.profile.endpoints.includes(endpoint);
  const found = isStated ? targetOf(text, endpoint) : first;
  const target = found instanceof ExternalError || !hasStandIns(text.text) ? found : withPlaceholders(found);
  if (target instanceof ExternalError || !target.detected?.evidence) return target;
  const { evidence } = target.detected;
  const shifted = { start: evidence.start + start, end: evidence.end + start };
  return { ...target, detected: { ...target.detected, evidence: shifted } };
}

/** Declares the variable that stand-ins for placeholders are fields of. No traffic contains it, so its values are unknown. */
function withPlaceholders(target: Target): Target {
  const variables = [{ path: STAND_IN_VARIABLE, type: 'dyn' }];
  return { ...target, ...adapt(extendProfile(target.profile, { variables }), target.endpoint) };
}

function adapt(profile: Profile, endpoint: EndpointKind) {
  return { profile, environments: createPhaseEnvironments(profile, endpoint) };
}

function wrongEndpoint({ uri }: SourceText, profile: Profile, endpoint: EndpointKind): string {
  const known = profile.endpoints.map(endpoint => `\`${endpoint}\``).join(', ');
  return `\`${uri}\` has the profile \`${profile.name}\`, which has no endpoint \`${endpoint}\`; use one of ${known}`;
}

/** Codes of errors that a wrongly detected profile can cause. */
const MAY_FOLLOW = /^(?:name|phase|endpoint)\/|^(?:policy|config)\/(?:unknown|missing)-/;

/**
 * Returns a note at the name that decided the profile, if the profile is uncertain and may be the cause of the errors. The default
 * profile gets no note.
 */
export function explainDetection(
  { detected }: Target,
  uri: string,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  const { profile, evidence, isCertain } = detected ?? {};
  const isWrong = found.some(({ severity, code }) => severity === 'error' && MAY_FOLLOW.test(code));
  if (!isWrong || !profile || !evidence || isCertain || profile.name === 'edge-v2') return [];
  const message = `detected the profile \`${profile.name}\` from this name; pass \`--profile\` to override it`;
  const args = { profile: profile.name };
  return [{ code: 'profile/detected', severity: 'info', message, uri, range: evidence, args }];
}
