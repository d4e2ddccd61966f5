import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import type { Manifest } from './manifests.ts';

/** Reads a manifest of `test/cases`, and places its pods on the local node. */
export async function readCase(name: string, namespace: string): Promise<Manifest> {
  const text = await readFile(join(import.meta.dirname, '..', 'cases', `${name}.yaml`), 'utf8');
  const manifest = parse(text, YAML_AS_KUBECTL) as Manifest;
  const { metadata, spec } = onLocalNode(manifest) as Manifest;
  return { ...manifest, metadata: { ...metadata, namespace }, spec };
}

function onLocalNode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onLocalNode);
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, onLocalNode(inner)] as const);
  const own = Object.fromEntries(fields);
  return 'containers' in own ? { nodeSelector: { 'signalbox.dev/node': 'local' }, ...own } : own;
}
