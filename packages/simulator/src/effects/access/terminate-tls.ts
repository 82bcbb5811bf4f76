import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import type { TlsFacts } from '@tollgate/traffic';
import { type NamedValues, withResults } from '../../state/traffic-state.ts';
import { closed } from '../model/answer.ts';
import { stringIn, stringOr, stringsOf } from '../model/config.ts';
import type { Effect, PrepareAction, ResultNames } from '../model/effect.ts';

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
    const left = withResults(state, context.results.prefix, resultsOf(state.exchange.tls, isWithin, context.results));
    if (needs.length === 0) return { kind: 'continues', state: left };
    const notes = [{ kind: 'opaque', reason: 'the client would have to reconnect' }] as const;
    return { kind: 'may-end', ending: closed(state, 'terminate-tls'), state: left, needs, notes };
  };
};

function resultsOf(tls: TlsFacts, isWithin: boolean, { prefix, names }: ResultNames): NamedValues {
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
