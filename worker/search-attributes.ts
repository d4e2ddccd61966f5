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
export async function registerSearchAttributes({ connection, options }: Client): Promise<string[]> {
  const { namespace } = options;
  const { operatorService } = connection as Client['connection'] & OperatorAccess;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => !(name in customAttributes));
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(missing.map((key) => [key.name, indexedType(key)]));
  await operatorService.addSearchAttributes({ namespace, searchAttributes });
  return missing.map(({ name }) => name);
}

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
