import { type EvaluationContext, type Profile, STRING_KEY, variablesAt } from '@tollgate/catalog';
import type { NameMetadata } from '../../solver/reader/reader-context.ts';
import { volatileOverloads } from './volatile-calls.ts';

/** Returns what the profile says about the names that exist in a phase. */
export function nameMetadataAt(profile: Profile, place: EvaluationContext): NameMetadata {
  const facts = new Map(variablesAt(profile, place).map(fact => [fact.path, fact]));
  const volatile = new Set(volatileOverloads(profile));
  return {
    isAlwaysPresent: path => {
      const fact = facts.get(path.endsWith(AS_TEXT) ? path.slice(0, -AS_TEXT.length) : path);
      if (fact === undefined || fact.setBy !== undefined) return false;
      return fact.absent === undefined || fact.absent.value !== undefined;
    },
    isVolatile: overloadId => volatile.has(overloadId),
  };
}

const AS_TEXT = `.${STRING_KEY}`;
