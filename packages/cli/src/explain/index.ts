export type { JsonMember } from '../output/json-member.ts';
export { DECISION_MEMBERS, REPLAY_MEMBERS } from '../replay/replay-members.ts';
export { TRACE_MEMBERS } from '../trace/trace-members.ts';
export { CODE_PAGES, type CodePage } from './code-table.ts';
export { type ExampleFinding, exampleFindings, fullText } from './example-findings.ts';
export { markdownPage } from './markdown-page.ts';
export { pageStatus } from './page-facts.ts';
