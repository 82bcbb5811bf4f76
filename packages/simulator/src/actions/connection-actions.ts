/** Actions on connections: `restrict-ips` and `terminate-tls`. */
import { EvaluationError, Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import { InternalError } from '@tollgate/diagnostics';
import type { TlsFacts } from '@tollgate/traffic';
import { type Known, type NamedValues, type TrafficState, withResults } from '../exchange-state/traffic-state.ts';
import {
  type ActionContext,
  answered,
  closed,
  type Effect,
  isSet,
  NOT_ENFORCED,
  type Note,
  type PrepareAction,
  type ResultNames,
  stringIn,
  stringOr,
  stringsOf,
} from './effect.ts';
import { type Filling, partsOf, prepareText } from './fill-text.ts';

/** Admits addresses that an entry of `allow` contains and none of `deny` does; an absent list contains none. */
export const restrictIps: PrepareAction = (config, context) => {
  const enforces = isSet(config, context, 'enforce');
  const [allow, deny] = [prepareRanges(config.allow, 'allow', context), prepareRanges(config.deny, 'deny', context)];
  const policies = stringsOf(config.ip_policies).map(id => `the IP policy \`${id}\``);
  return (state): Effect => {
    const filling: Filling = { state, notes: [] };
    const [allowed, denied] = [allow(filling), deny(filling)];
    const needs = [...new Set([...policies, ...[allowed, denied].flatMap(attributesOf)])].sort();
    const isRefused = typeof denied === 'string' || (allowed === undefined && policies.length === 0);
    const admission = admissionOf(isRefused, allowed, denied);
    const notes = isRefused || needs.length === 0 ? [...filling.notes, admission] : filling.notes;
    const left = withResults(
      state,
      context.results.prefix,
      resultsOf({ allowed, denied, needs: isRefused ? [] : needs }),
    );
    const refused = answered(left, { kind: 'refused', status: 403, action: 'restrict-ips' }, context);
    if (!enforces)
      return { kind: 'continues', state: left, idle: true, notes: isRefused ? [...notes, ...NOT_ENFORCED] : notes };
    if (isRefused) return { kind: 'ends', ending: refused, notes };
    if (needs.length === 0) return { kind: 'continues', state: left, idle: true, notes };
    return { kind: 'may-end', ending: refused, state: left, needs, notes };
  };
};

interface Verdict {
  readonly allowed: Known<string> | undefined;
  readonly denied: Known<string> | undefined;
  /** The inputs that would settle whether it is refused. */
  readonly needs: readonly string[];
}

function resultsOf({ allowed, denied, needs }: Verdict): NamedValues {
  if (needs.length > 0) return { action: new Unknown(needs), matched_cidr: new Unknown(needs) };
  if (typeof denied === 'string') return { action: 'deny', matched_cidr: denied };
  return { action: allowed === undefined ? 'deny' : 'allow', matched_cidr: allowed ?? '' };
}

function admissionOf(isRefused: boolean, allowed: Known<string> | undefined, denied: Known<string> | undefined): Note {
  const range = typeof denied === 'string' ? denied : allowed;
  return {
    kind: 'admission',
    verdict: isRefused ? 'deny' : 'allow',
    range: typeof range === 'string' ? range : undefined,
  };
}

function attributesOf(found: Known<string> | undefined): readonly string[] {
  return found instanceof Unknown ? found.attributes : [];
}

/** Returns the first range that contains the address; undefined if none does. */
type FindRange = (filling: Filling) => Known<string> | undefined;

function prepareRanges(list: Parameters<typeof stringsOf>[0], field: string, context: ActionContext): FindRange {
  const ranges = stringsOf(list);
  const isFixed = ranges.every(range => partsOf(range, context.switches.interpolationEscape).length === 1);
  // A single test of the whole list, which is what a trace shows. An empty list contains no address.
  const isInAny = ranges.length === 0 ? () => false : isFixed ? inRanges(ranges, context.compile, context) : () => true;
  const entries = ranges.map(range => prepareRange(range, field, context));
  return filling => {
    // Test all ranges at once first: most addresses are in none of many ranges.
    const found = isInAny(filling.state);
    if (found !== true) return found === false ? undefined : found;
    let unknown: Unknown | undefined;
    for (const entry of entries) {
      const range = entry(filling);
      if (typeof range === 'string') return range;
      unknown ??= range;
    }
    return unknown;
  };
}

function prepareRange(range: string, field: string, context: ActionContext): FindRange {
  if (partsOf(range, context.switches.interpolationEscape).length === 1) {
    const isIn = inRanges([range], context.compileUntraced, context);
    return ({ state }) => answerOf(isIn(state), range);
  }
  const fill = prepareText(range, field, context);
  return filling => {
    const text = fill(filling);
    return text instanceof Unknown
      ? text
      : answerOf(inRanges([text], context.compileUntraced, context)(filling.state), text);
  };
}

function answerOf(isIn: boolean | Unknown, range: string): Known<string> | undefined {
  if (isIn instanceof Unknown) return isIn;
  return isIn ? range : undefined;
}

function inRanges(
  ranges: readonly string[],
  compile: ActionContext['compileUntraced'],
  context: ActionContext,
): (state: TrafficState) => boolean | Unknown {
  const list = JSON.stringify(ranges.map(withPrefixLength));
  const { evaluate } = compile(`inCidrRanges(${context.dialect.names.clientIp}, ${list})`);
  return state => {
    const found = evaluate(state);
    if (found instanceof EvaluationError) throw new InternalError(found.message);
    return found as boolean | Unknown;
  };
}

/** Adds the prefix length of a single address. */
function withPrefixLength(range: string): string {
  if (range.includes('/')) return range;
  return `${range}/${range.includes(':') ? 128 : 32}`;
}

/** Terminates TLS at the edge. A client that connected with another version may support a configured one, or fail. */
export const terminateTls: PrepareAction = (config, context) => {
  const oldest = stringIn(config, context, 'min_version');
  const newest = stringIn(config, context, 'max_version');
  const asksForCertificates =
    [
      ...stringsOf(config.mutual_tls_certificate_authorities),
      stringOr(config.mutual_tls_certificate_authorities, ''),
    ].some(authority => authority !== '') &&
    stringIn(config, context, 'mutual_tls_verification_strategy') !== 'request';
  return (state): Effect => {
    const { version } = state.exchange.tls;
    const number = version?.replace(/^TLS /, '');
    const isWithin = number !== undefined && number >= oldest && number <= newest;
    // The edge accepted the recorded connection, and supports no other versions.
    const isAnyWithin = number === undefined && oldest <= '1.2' && newest >= '1.3';
    const needs = [
      ...(isWithin || isAnyWithin ? [] : ['which versions of TLS the client knows']),
      ...(asksForCertificates ? ['the certificate of the client'] : []),
    ];
    const left = withResults(
      state,
      context.results.prefix,
      tlsResultsOf(state.exchange.tls, isWithin, context.results),
    );
    if (needs.length === 0) return { kind: 'continues', state: left };
    const notes = [{ kind: 'opaque', reason: 'the client would have to reconnect' }] as const;
    return { kind: 'may-end', ending: closed(state, 'terminate-tls'), state: left, needs, notes };
  };
};

function tlsResultsOf(tls: TlsFacts, isWithin: boolean, { prefix, names }: ResultNames): NamedValues {
  const known: NamedValues = {
    ...(tls.serverName !== undefined && { sni: tls.serverName }),
    ...(isWithin && { version: tls.version }),
    ...(isWithin && tls.cipherSuite !== undefined && { cipher_suite: tls.cipherSuite }),
    warnings: [],
  };
  const others = names.map(name => {
    const path = `${prefix}.${name}`;
    const isError = name.startsWith('error.');
    const isSurelyThere = ['sni', 'version', 'cipher_suite'].includes(name);
    if (isError) return [name, undefined] as const;
    return [name, isSurelyThere ? new Unknown([path]) : new UnknownPresence([path])] as const;
  });
  return { ...Object.fromEntries(others), ...known };
}
