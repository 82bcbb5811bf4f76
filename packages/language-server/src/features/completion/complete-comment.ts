import { lineStart } from '@tollgate/diagnostics';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { paragraphs } from '../../describe/describe-types.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Suggestion } from './suggestion.ts';
import { nearestWord } from './word-range.ts';

const COMMENT = /(?:^|\s)#\s*([^\n]*)$/;
const IGNORE = /^tollgate-ignore(?:-\w+)?\s+(?:[^\s-][^\s]*\s+)*([\w/*-]*)$/;

/** Returns the ids that a suppression may name; undefined outside of comments. */
export function completeComment({ source, project }: Snapshot, offset: number): readonly Suggestion[] | undefined {
  const { text } = source;
  const line = text.slice(lineStart(text, offset), offset);
  const found = COMMENT.exec(line);
  if (!found || /["'][^"']*#[^"']*$/.test(line)) return undefined;
  const [, comment = ''] = found;
  const ignore = IGNORE.exec(comment);
  if (!ignore) {
    const range = nearestWord(text, offset);
    const isStart = /^[\w-]*$/.test(comment);
    const start = range.end - comment.length;
    return isStart
      ? [
          {
            label: 'tollgate-ignore',
            text: 'tollgate-ignore ',
            kind: CompletionItemKind.Keyword,
            range: { start, end: range.end },
            continues: true,
          },
        ]
      : [];
  }
  const typed = ignore[1] ?? '';
  return project.rules.map(({ id, summary, rationale }) => ({
    label: id,
    kind: CompletionItemKind.Constant,
    detail: summary,
    range: { start: offset - typed.length, end: nearestWord(text, offset).end },
    documentation: () => paragraphs([summary, rationale]),
  }));
}
