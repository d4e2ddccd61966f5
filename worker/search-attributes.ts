import type { Client } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';

const { IndexedValueType } = proto.temporal.api.enums.v1;

const INDEXED_TYPES = {
  [SearchAttributeType.KEYWORD]: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  [SearchAttributeType.KEYWORD_LIST]: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
  [SearchAttributeType.INT]: IndexedValueType.INDEXED_VALUE_TYPE_INT,
} as const;

/** Registers the search attributes that the namespace lacks, so that users need not. Returns their names. */
export async function registerSearchAttributes(client: Client): Promise<string[]> {
  const { namespace } = client.options;
  const missing = await missingSearchAttributes(client);
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(missing.map((key) => [key.name, indexedType(key)]));
  await operatorOf(client).addSearchAttributes({ namespace, searchAttributes });
  return missing.map(({ name }) => name);
}

/** Returns the search attributes that the namespace lacks. */
export async function missingSearchAttributes(client: Client) {
  const { namespace } = client.options;
  const { customAttributes } = await operatorOf(client).listSearchAttributes({ namespace });
  return Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => !(name in customAttributes));
}

const operatorOf = ({ connection }: Client) =>
  (connection as Client['connection'] & OperatorAccess).operatorService;

interface OperatorAccess {
  readonly operatorService: {
    listSearchAttributes(request: {
      namespace: string;
    }): Promise<{ customAttributes: Record<string, unknown> }>;
    addSearchAttributes(request: {
      namespace: string;
      searchAttributes: Record<string, number>;
    }): Promise<unknown>;
  };
}

const indexedType = ({ type }: { readonly type: SearchAttributeType }): number =>
  INDEXED_TYPES[type as keyof typeof INDEXED_TYPES];
