import { getLookaheadPaths, type ILookaheadStrategy, LLkLookaheadStrategy, type LookaheadSequence } from 'chevrotain';
import { Grammar } from './grammar.ts';

type Alternation = Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0];
type Optional = Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0];

/** What chevrotain finds that its parser of the grammar has to look ahead by, as `lookahead-table.ts` has it: a line for each place. */
export function describeLookahead(): readonly string[] {
  const strategy = new NotingStrategy();
  const lines: string[] = [];
  class NotingGrammar extends Grammar {
    /** Called by chevrotain with what its strategy gave. */
    setLaFuncCache(rule: number, key: number, found: object): void {
      const { rule: name, text } = strategy.noted.get(found)!;
      lines.push(`${name} ${rule} ${key} ${text}`);
    }
  }
  new NotingGrammar({ recovery: false, lookahead: strategy });
  return lines;
}

/** Finds what chevrotain finds, and notes it. */
class NotingStrategy extends LLkLookaheadStrategy {
  readonly noted = new Map<object, { readonly rule: string; readonly text: string }>();

  override buildLookaheadForAlternation(options: Alternation) {
    const found = super.buildLookaheadForAlternation(options);
    const { prodOccurrence: occurrence, rule, maxLookahead } = options;
    const paths = getLookaheadPaths({ occurrence, rule, maxLookahead, prodType: 'Alternation' });
    this.noted.set(found, { rule: rule.name, text: `choice ${paths.map(ways).join(' ')}` });
    return found;
  }

  override buildLookaheadForOptional(options: Optional) {
    const found = super.buildLookaheadForOptional(options);
    const { prodOccurrence: occurrence, rule, maxLookahead, prodType } = options;
    const [inside = []] = getLookaheadPaths({ occurrence, rule, maxLookahead, prodType });
    this.noted.set(found, { rule: rule.name, text: `option ${ways(inside)}` });
    return found;
  }
}

function ways(paths: LookaheadSequence): string {
  return paths.map(path => path.map(type => type.name).join(',')).join('|');
}
