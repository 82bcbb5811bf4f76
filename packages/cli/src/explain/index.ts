export { CODE_PAGES, type CodePage } from './code-table.ts';
export { type ExampleFinding, exampleFindings, fullText } from './example-findings.ts';
export { markdownPage } from './markdown-page.ts';
export { pageStatus } from './page-facts.ts';
