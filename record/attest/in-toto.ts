import type { Fields } from '../../language/fields.ts';

/** An in-toto Statement v1 with the SLSA provenance predicate v1, as far as this program writes it. */
export interface InTotoStatement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly StatementSubject[];
  readonly predicateType: 'https://slsa.dev/provenance/v1';
  readonly predicate: {
    readonly buildDefinition: {
      readonly buildType: string;
      readonly externalParameters: Fields;
      readonly internalParameters: Fields;
      readonly resolvedDependencies: readonly ResourceDescriptor[];
    };
    readonly runDetails: {
      readonly builder: { readonly id: string; readonly version: Readonly<Record<string, string>> };
      readonly metadata: {
        readonly invocationId: string;
        readonly startedOn?: string;
        readonly finishedOn?: string;
      };
      readonly byproducts: readonly ResourceDescriptor[];
    };
  };
}

interface StatementSubject {
  readonly name: string;
  readonly digest: DigestSet;
}

/** Has at least one of `uri`, `digest` and `content`. */
export interface ResourceDescriptor {
  readonly name?: string;
  readonly uri?: string;
  readonly digest?: DigestSet;
  /** Base64, of less than 1 KB. */
  readonly content?: string;
  readonly mediaType?: string;
  readonly annotations?: Fields;
}

export type DigestSet = Readonly<Record<string, string>>;

/** Returns `ALGORITHM:HEX` in the form of in-toto. */
export function digestSetOf(digest: string): DigestSet {
  const [algorithm = '', hex = ''] = digest.split(':');
  return { [algorithm]: hex };
}
