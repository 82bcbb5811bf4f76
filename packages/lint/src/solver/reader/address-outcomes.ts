import { type Expr, parseCidr } from '@tollgate/cel';
import { negated, type Outcomes, split } from '../formula/outcomes.ts';
import { addressesIn } from '../values/address-ranges.ts';
import { difference, ERROR, flagSet, INVALID, rangesOf } from '../values/value-set.ts';
import { variableOf } from '../values/vocabulary.ts';
import { constantOf } from './constant-value.ts';
import { claimAbout, readTerm } from './read-term.ts';
import { operandsOf, overloadOf, type Reading, resolved } from './reader-context.ts';

/** `isIP` and `containsIP` of a constant range; undefined for all else. */
export function addressOutcomes(reading: Reading, call: Extract<Expr, { kind: 'call' }>): Outcomes | undefined {
  const [first, second] = operandsOf(reading, call);
  switch (overloadOf(reading, call)) {
    case 'is_ip':
      return isAddress(reading, first!);
    case 'cidr_contains_ip_string':
      return isIn(reading, { range: first!, address: second! });
    case 'cidr_contains_ip_ip': {
      const text = convertedBy(reading, second!, 'string_to_ip');
      return text && isIn(reading, { range: first!, address: text });
    }
    default:
      return undefined;
  }
}

/** Unlike everything else that is asked of an address, this has an answer for a text that is none. */
function isAddress(reading: Reading, operand: Expr): Outcomes {
  const { term } = readTerm(reading, operand);
  const variable = variableOf(reading.vocabulary, term, { kind: 'as-address' });
  return negated(split(variable, flagSet(INVALID), difference(variable.universe, flagSet(ERROR))));
}

function isIn(reading: Reading, { range, address }: { range: Expr; address: Expr }): Outcomes | undefined {
  const text = convertedBy(reading, range, 'string_to_cidr');
  const constant = text && constantOf(reading, text);
  const cidr = constant?.kind === 'text' ? parseCidr(constant.text) : undefined;
  if (cidr === undefined) return undefined;
  return claimAbout(reading, address, { kind: 'as-address' }, () => rangesOf(addressesIn(cidr)));
}

/** What the conversion is applied to, where the expression is one. */
function convertedBy(reading: Reading, expr: Expr, overload: string): Expr | undefined {
  const own = resolved(reading, expr);
  return own.kind === 'call' && overloadOf(reading, own) === overload ? operandsOf(reading, own)[0] : undefined;
}
