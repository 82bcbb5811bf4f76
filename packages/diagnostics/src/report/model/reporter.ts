import type { Report } from './report.ts';
import type { ReportOptions } from './report-options.ts';

/** Formats a report on findings, or another subject. Equal subjects produce equal output. */
export type Reporter<Subject = Report> = (subject: Subject, options?: ReportOptions) => string;
