export { type ExampleFinding, exampleFindings, fullText } from './explain/example-findings.ts';
export { markdownPage } from './explain/markdown-page.ts';
export { pageStatus } from './explain/page-facts.ts';
export { IMPACT_MEMBERS } from './impact/impact-members.ts';
export { CODE_PAGES } from './output/code-table.ts';
export type { JsonMember } from './output/json-member.ts';
export type { CodePage } from './output/rule-description.ts';
export { DECISION_MEMBERS, REPLAY_MEMBERS } from './replay/formats/replay-members.ts';
export { TRACE_MEMBERS } from './trace/json/trace-members.ts';
