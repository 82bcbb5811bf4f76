import type { EndpointKind } from '@tollgate/catalog';
import type { Target } from '@tollgate/core/targeting';
import type { Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import type { Linter, LintRule } from '@tollgate/lint';
import type { EmbeddedSettings } from '@tollgate/policy';
import type { MessageReader, MessageWriter } from 'vscode-languageserver-protocol';

/** What a document contains; an `embedding` has policies among its values. The server ignores documents of kind `other`. */
export type DocumentKind = 'policy' | 'tests' | 'invariants' | 'edge' | 'project' | 'embedding' | 'other';

/** Whether the code that a repository names may run: always, never, or where the user's list of trusted directories says so. */
export type Trust = 'always' | 'never' | 'by-directory';

/** The lint rules for one file. */
export interface Linters {
  /** Built-in lint rules that run while the user types. */
  readonly fast: Linter;
  /** All lint rules. */
  readonly all: Linter;
}

/** Code of the warning about a module that settings name, and that does not run. */
export const UNTRUSTED_MODULE = 'settings/untrusted-module';

/** The settings that apply to the documents of a directory, as the command line would load them there. */
export interface Project {
  readonly directory: string;
  /** Path of the project file; undefined if there is none. */
  readonly file: string | undefined;
  /** Returns the profile, endpoint and environments of a document. */
  readonly targetOf: (source: SourceText, isFor?: EndpointKind) => Target | ExternalError;
  /** Returns the lint rules of a file; undefined for a file that the settings ignore. */
  readonly lintersOf: (path: string) => Linters | undefined;
  /** Returns where a file has policies that cannot be detected. */
  readonly embeddedSettingsOf: (path: string) => EmbeddedSettings | Promise<EmbeddedSettings>;
  /** Returns the built-in and custom lint rules, which may have to be loaded first. */
  readonly rules: () => readonly LintRule[];
  /** Problems of the settings files, by their `uri`. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why settings could not be loaded, and which modules were not loaded because their directory is not trusted. */
  readonly failures: readonly string[];
  /** The settings files that were read. */
  readonly sources: readonly SourceText[];
}

/** How to run the `tollgate` command. */
export interface CommandToRun {
  readonly args: readonly string[];
  readonly trust: Trust;
  /** What the editor shows of files, saved or not: the command reads this instead. */
  readonly shown: readonly { readonly path: string; readonly text: string }[];
  readonly signal: AbortSignal;
}

/** What a run of the `tollgate` command gave. */
export interface CommandRun {
  /** The exit code; undefined if the run was stopped. */
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
  /** A file with the output, for clients that can show one. */
  readonly report: string;
}

/** Access to files and settings. The language server reaches the outside only through it. */
export interface Host {
  /** The directory whose settings apply to documents without a file while no folder is open. */
  readonly directory: string;
  /** Loads the settings that apply in a directory. Never rejects. */
  readonly loadProject: (directory: string, trust: Trust) => Promise<Project>;
  readonly readFile: (path: string) => Promise<SourceText | ExternalError>;
  /** Returns the paths of the policies and tests below a directory, sorted. */
  readonly findFiles: (directory: string) => Promise<readonly string[]>;
  /** Returns what the command line would take a file for. */
  readonly kindOf: (source: SourceText, embeddedSettings: EmbeddedSettings) => Exclude<DocumentKind, 'project'>;
  /** Runs the `tollgate` command in a process of its own. Without it, clients run what lenses name. */
  readonly runCommand?: (run: CommandToRun) => Promise<CommandRun>;
  /** Starts a thread for whatever takes longer than a keystroke may take; without it, one thread does everything. */
  readonly startThread?: () => CheckThread;
  /** Returns the day for the expiry of suppressions, such as `2027-01-01`. */
  readonly today: () => string;
}

/** One end of a connection between threads. */
export interface ThreadPort {
  readonly post: (message: unknown) => void;
  readonly onMessage: (listen: (message: unknown) => void) => void;
}

/** A thread that runs {@link serveChecks}. */
export interface CheckThread extends ThreadPort {
  /** Called once the thread has ended, whatever the reason. */
  readonly onEnd: (listen: () => void) => void;
  readonly end: () => void;
}

/** What the server needs to start. */
export interface ServerSetup {
  readonly version: string;
  /** Whether the host runs the commands of lenses. */
  readonly runsCommands: boolean;
  /** Loads the access to files and settings, after the client has been told what the server offers. A host may ask the client for files. */
  readonly loadHost: (ask: AskClient) => Promise<Host>;
}

/** Sends a request of our own to the client. */
export type AskClient = (method: string, params: object) => Promise<unknown>;

/** The way to a client: `streamTransport` of `@tollgate/language-server/node`, or `workerTransport` of `@tollgate/language-server/browser`. */
export interface Transport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  /** Resolves once the messages that have already arrived have been received. */
  readonly afterInput: () => Promise<void>;
  /** Calls back if the client is gone without having said so. */
  readonly onEnd: (listen: () => void) => void;
  /** Lets go of the client. */
  readonly end: () => void;
}
