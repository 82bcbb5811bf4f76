import { type CodeLens, commands, type Position, type Range, Uri } from 'vscode';

/** A rule of a document. */
export interface RuleAt {
  readonly phase: string;
  /** From 1. */
  readonly number: number;
  /** Address of its policy in the file; empty if the file is the policy. */
  readonly part: string;
  /** Of its name, or empty at its start. */
  readonly range: Range;
}

/** Returns the rules of a document, in document order: those that have a lens. */
export async function rulesOf(uri: Uri): Promise<readonly RuleAt[]> {
  const lenses =
    (await commands.executeCommand<readonly CodeLens[] | undefined>('vscode.executeCodeLensProvider', uri)) ?? [];
  return lenses.flatMap(({ range, command }) => {
    if (command?.command !== 'tollgate.traceRule') return [];
    const [policy, phase, number] = command.arguments ?? [];
    return [{ phase: String(phase), number: Number(number), part: Uri.parse(String(policy)).fragment, range }];
  });
}

/** Returns the rule at a position: the last one that starts on its line or above. */
export async function ruleAt(uri: Uri, { line }: Position): Promise<RuleAt | undefined> {
  const rules = await rulesOf(uri);
  return rules.findLast(({ range }) => range.start.line <= line);
}
