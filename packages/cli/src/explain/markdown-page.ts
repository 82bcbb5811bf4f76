import { type CodeExample, printable } from '@tollgate/diagnostics';
import type { CodePage } from '../output/rule-description.ts';
import { exampleFindings } from './example-findings.ts';
import { exampleLanguage, exampleNotes, pageStatus, refusalNotes, suppressions } from './page-facts.ts';

/** Renders the page of a code in Markdown, under a second-level heading. */
export function markdownPage(page: CodePage): string {
  const { code, summary, rationale, remedy, bad, good, withoutExample, rule } = page;
  const parts = [
    `## ${code}`,
    `*${pageStatus(page)}* · ${summary}`,
    rationale,
    ...(remedy === undefined ? [] : [remedy]),
    ...refusalSection(page),
    ...(bad ? [`Bad${notes(bad)}:`, block(bad), ...messages(page, bad)] : []),
    ...(good ? [`Good${notes(good)}:`, block(good)] : []),
    ...(withoutExample === undefined ? [] : [`No example: ${withoutExample}.`]),
    ...(rule?.options ?? []).map(
      ({ name, default: value, doc }) => `Option \`${name}\`, by default \`${JSON.stringify(value)}\`: ${doc}`,
    ),
    ...suppressions(page).map(({ text, where }) => `Suppressed by \`${text}\` ${where}.`),
  ];
  return `${parts.join('\n\n')}\n`;
}

function refusalSection(page: CodePage): readonly string[] {
  const found = refusalNotes(page);
  return found.length === 0 ? [] : ['The service rejects it with:', found.map(note => `- ${note}`).join('\n')];
}

function notes(example: CodeExample): string {
  const found = exampleNotes(example);
  return found.length === 0 ? '' : ` (${found.join(', ')})`;
}

function block(example: CodeExample): string {
  const lines = example.text
    .replace(/\n$/, '')
    .split('\n')
    .map(line => printable(line).toWellFormed());
  return [`\`\`\`${exampleLanguage(example)}`, ...lines, '```'].join('\n');
}

/** Returns the findings for the bad example that have this code. */
function messages(page: CodePage, example: CodeExample): readonly string[] {
  const found = exampleFindings(example, page).filter(({ code }) => code === page.code);
  const [first] = found;
  return first ? [`> ${first.severity ?? 'error'}: ${clip(first.message)}`] : [];
}

function clip(message: string): string {
  return printable(message.length > 300 ? `${message.slice(0, 300)}…` : message);
}
