import { type HeaderMap, headerValues } from '../../message/header-map.ts';
import { answered } from '../model/answer.ts';
import { isSet, stringIn } from '../model/config.ts';
import type { ActionContext, Effect, PrepareAction } from '../model/effect.ts';
import { mayRefuse, NOT_ENFORCED, withUnknownResults } from '../model/refusal.ts';
import { SIGNATURE_HEADERS } from './webhook-signatures.ts';

const NEEDS = ['whether the signature of the webhook is right'];

/**
 * Opaque for a signed request, because recordings do not contain the body that is signed. A request without the signature header of the
 * provider is refused.
 */
export const verifyWebhook: PrepareAction = (config, context) => {
  const enforces = isSet(config, context, 'enforce');
  const provider = stringIn(config, context, 'provider');
  const signs = Object.hasOwn(SIGNATURE_HEADERS, provider) ? SIGNATURE_HEADERS[provider] : undefined;
  return (state): Effect => {
    const left = withUnknownResults(state, context.results, NEEDS);
    const ending = answered(left, { kind: 'refused', status: 403, action: 'verify-webhook' }, context);
    if (signs?.every(name => isAbsent(state.request.headers, name, context)) === true) {
      return enforces
        ? { kind: 'ends', ending, notes: [{ kind: 'unsigned', headers: signs }] }
        : { kind: 'continues', state: left, notes: NOT_ENFORCED };
    }
    const reason = 'a signature is of the body, which recordings do not hold';
    return mayRefuse({ ending, state: left, needs: NEEDS, reason, enforces });
  };
};

function isAbsent(headers: HeaderMap, name: string, { dialect }: ActionContext): boolean {
  return headerValues(headers, dialect.headerKey(name)) === undefined;
}
