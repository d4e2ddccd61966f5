import type { Client } from '@temporalio/client';
import { compareManifests } from '../../../contracts/differences/manifest-differences.ts';
import type { ValueDifference } from '../../../contracts/differences/structure.ts';
import { REFERENCES } from '../../../contracts/references.ts';
import { writtenManifest } from '../../../contracts/written-manifest.ts';
import { shorten } from '../../../language/shorten.ts';
import { type WorkflowRun, workflowStart } from '../../../temporal/workflow-start.ts';

/** Says in which fields a run was submitted with another manifest; nothing if its start can no longer be read. */
export async function differingFields(client: Client, run: WorkflowRun, manifest: unknown): Promise<string> {
  const start = await workflowStart(client, run).catch(() => undefined);
  return start ? differencesText(start.input[0], manifest) : '';
}

/** The first fields, with their values, of which those that look like secrets are hidden. */
export function differencesText(there: unknown, here: unknown): string {
  const parts = Object.values(compareManifests(writtenManifest(there), writtenManifest(here)));
  const found = parts.flat().filter(({ steps }) => steps[0] !== REFERENCES);
  if (found.length === 0) return '';
  const shown = found.slice(0, MOST_SHOWN).map(differenceText);
  const more = found.length - shown.length;
  return ` They differ in ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

const MOST_SHOWN = 3;

function differenceText({ path, a, b }: ValueDifference): string {
  if (a === undefined) return `${path} (only here: ${valueText(b)})`;
  if (b === undefined) return `${path} (only there: ${valueText(a)})`;
  return `${path} (${valueText(a)} there, ${valueText(b)} here)`;
}

const valueText = (value: unknown): string => shorten(JSON.stringify(value), VALUE_LENGTH);

const VALUE_LENGTH = 40;
