import type { Expr } from '@tollgate/cel';
import { parseCidr } from '@tollgate/cel/tooling';
import { type Condition, negated, split } from '../formula/condition.ts';
import { addressesIn } from '../values/address-ranges.ts';
import { difference, ERROR, flagSet, INVALID, rangesOf } from '../values/value-set.ts';
import { variableOf } from '../values/vocabulary.ts';
import { constantOf } from './constant-value.ts';
import { claimAbout, readTerm } from './read-term.ts';
import { operandsOf, overloadOf, type ReaderContext, resolved } from './reader-context.ts';

/** Reads `isIP` and `containsIP` with a constant range; undefined for other calls. */
export function addressCondition(reader: ReaderContext, call: Extract<Expr, { kind: 'call' }>): Condition | undefined {
  const [first, second] = operandsOf(reader, call);
  switch (overloadOf(reader, call)) {
    case 'is_ip':
      return isAddress(reader, first!);
    case 'cidr_contains_ip_string':
      return isIn(reader, { range: first!, address: second! });
    case 'cidr_contains_ip_ip': {
      const text = convertedBy(reader, second!, 'string_to_ip');
      return text && isIn(reader, { range: first!, address: text });
    }
    default:
      return undefined;
  }
}

/** Unlike other tests of addresses, this one does not fail for invalid addresses. */
function isAddress(reader: ReaderContext, operand: Expr): Condition {
  const { term } = readTerm(reader, operand);
  const variable = variableOf(reader.vocabulary, term, { kind: 'as-address' });
  return negated(split(variable, flagSet(INVALID), difference(variable.universe, flagSet(ERROR))));
}

function isIn(reader: ReaderContext, { range, address }: { range: Expr; address: Expr }): Condition | undefined {
  const text = convertedBy(reader, range, 'string_to_cidr');
  const constant = text && constantOf(reader, text);
  const cidr = constant?.kind === 'text' ? parseCidr(constant.text) : undefined;
  if (cidr === undefined) return undefined;
  return claimAbout(reader, address, { kind: 'as-address' }, () => rangesOf(addressesIn(cidr)));
}

/** Returns the operand of a conversion. */
function convertedBy(reader: ReaderContext, expr: Expr, overload: string): Expr | undefined {
  const own = resolved(reader, expr);
  return own.kind === 'call' && overloadOf(reader, own) === overload ? operandsOf(reader, own)[0] : undefined;
}
