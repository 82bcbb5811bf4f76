import type { EndpointKind } from '@tollgate/catalog';
import type { Range, SourceText } from '@tollgate/diagnostics';
import type { MappedText } from '../../document/model/mapped-text.ts';
import type { PartPath } from '../../document/model/select-part.ts';

/** The kinds of carriers. `document` is a file that is a policy itself, or YAML or JSON with policies among its values. */
export type CarrierKind = 'document' | 'markdown' | 'terraform';

/** How a string is encoded in the text around it. */
export type TextStyle =
  /** Scalars of YAML and JSON. */
  | 'plain'
  | 'single'
  | 'double'
  | 'literal'
  | 'folded'
  /** Lines that are copied apart from their indentation or prefix. */
  | 'fence'
  /** Terraform: a heredoc, a quoted string, and an object that is passed to `jsonencode` or `yamlencode`. */
  | 'heredoc'
  | 'hcl-string'
  | 'hcl-object'
  /** A file with stand-ins for placeholders. */
  | 'template';

/** A text inside another: a string that contains a document, or the contents of a code fence. */
export interface TextLayer {
  readonly style: TextStyle;
  /** The inner text, and the location of each part of it in the outer text. */
  readonly text: MappedText;
  readonly outer: string;
  /** What the stand-ins in the text stand for, by their number. */
  readonly placeholders?: readonly string[];
}

/** A policy inside a file, or a file that is a policy. */
export interface EmbeddedPolicy {
  readonly carrier: CarrierKind;
  /** The file. */
  readonly file: SourceText;
  /** Address in the file: what follows `#` on the command line. It continues into strings that contain a document. */
  readonly path: PartPath;
  /** The document to analyze: the file itself, or what a string or code fence in it decodes to. Ranges of its analysis refer to it. */
  readonly source: SourceText;
  /** The part of `source` that is the policy; undefined for all of it. */
  readonly part: PartPath | undefined;
  /** From the text around the document to the file; empty if `source` is the file. */
  readonly layers: readonly TextLayer[];
  /** The range of the policy in `source`. */
  readonly range: Range;
  /** The kind of endpoint that its surroundings state. */
  readonly endpoint: EndpointKind | undefined;
}
