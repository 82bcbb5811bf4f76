import { Unknown } from '@tollgate/cel';
import { UnknownPresence } from '@tollgate/cel/tooling';
import { firstIn } from '../../state/recorded-state.ts';
import { type Known, type TrafficState, withResults } from '../../state/traffic-state.ts';
import { stringsOf as headerTexts } from '../../values/read-message.ts';
import { fieldOf, stringsOf } from '../model/config.ts';
import type { ActionContext, PrepareAction } from '../model/effect.ts';
import { withHeaders } from './header-actions.ts';

/** Compresses a body that is not compressed yet with the algorithm that the client prefers. */
export const compressResponse: PrepareAction = (config, context) => {
  // Request bodies are not compressed; in profiles that allow the action there, it does nothing.
  if (context.side !== 'response') return state => ({ kind: 'continues', state, idle: true });
  const listed = Array.isArray(config.algorithms) ? config.algorithms : fieldOf(context, 'algorithms')?.default;
  const algorithms = stringsOf(listed);
  const { headerKey, requestHeader, responseHeader } = context.dialect;
  const encodingName = responseHeader(headerKey('content-encoding'));
  const acceptName = requestHeader(headerKey('accept-encoding'));
  return state => {
    const encoding = firstIn(state.response, encodingName);
    const accepted = headerTexts(state.request, acceptName);
    const algorithm = accepted instanceof Unknown ? accepted : negotiate(accepted.join(','), algorithms);
    const isEncoded = encoding instanceof Unknown ? encoding : encoding !== undefined && encoding !== 'identity';
    const left = withResults(state, context.results.prefix, {
      already_compressed: isEncoded,
      negotiated_algorithm: algorithm ?? 'none',
    });
    if (isEncoded === true || algorithm === undefined) return { kind: 'continues', state: left, idle: true };
    const open = isEncoded instanceof Unknown ? isEncoded : algorithm;
    return { kind: 'continues', state: withEncoding(left, open instanceof Unknown ? open : algorithm, context) };
  };
};

function withEncoding(state: TrafficState, algorithm: Known<string>, { dialect, side }: ActionContext): TrafficState {
  const [encoding, length, vary] = ['content-encoding', 'content-length', 'vary'].map(dialect.headerKey);
  if (algorithm instanceof Unknown) {
    return withHeaders(
      state,
      side,
      [encoding!, length!, vary!].map(key => ({ key, to: maybe(algorithm) })),
    );
  }
  return withHeaders(state, side, [
    { key: encoding!, to: [algorithm] },
    { key: length!, to: undefined },
    { key: vary!, add: 'Accept-Encoding' },
  ]);
}

function maybe({ attributes }: Unknown): Unknown {
  return new UnknownPresence(attributes);
}

/** Returns the preferred algorithm, the first in the list among equals (RFC 9110, section 12.5.3); undefined if none is accepted. */
function negotiate(accepted: string, algorithms: readonly string[]): string | undefined {
  const weights = new Map(accepted.split(',').map(weightOf));
  const weighed = algorithms.map(name => ({ name, weight: weights.get(name) ?? weights.get('*') ?? 0 }));
  const best = Math.max(0, ...weighed.map(one => one.weight));
  return best === 0 ? undefined : weighed.find(one => one.weight === best)?.name;
}

function weightOf(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
  const weight = parameters.find(text => text.startsWith('q='))?.slice(2);
  return [name, weight === undefined || Number.isNaN(Number(weight)) ? 1 : Number(weight)];
}
