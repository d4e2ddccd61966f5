import { SearchAttributeType } from '@temporalio/common';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { LARGEST_MANIFEST_BYTES } from '../../../contracts/manifest-size.ts';
import * as messages from '../../../contracts/messages.ts';
import { PARAMETER_SWEEP, parameterSweepIdOf } from '../../../contracts/parameter-sweep.ts';
import { RPC } from '../../../contracts/rpc.ts';
import { SEARCH_ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import { FINAL_PHASES, PHASES } from '../../../contracts/status.ts';
import { assignment, header, pythonText, snakeCase } from './source.ts';

const { MEMO, UPDATES } = messages;

/** What the Python package needs of the contracts. */
const NAMES = {
  TRAINING_JOB: messages.TRAINING_JOB,
  PARAMETER_SWEEP,
  SWEEP_ID_PREFIX: parameterSweepIdOf({ namespace: '', name: '' }).slice(0, -1),
  RPC,
  DEFAULT_TASK_QUEUE: messages.DEFAULT_TASK_QUEUE,
  STATUS_QUERY: messages.STATUS_QUERY,
  ASKED_SIGNAL: messages.ASKED_SIGNAL,
  ...Object.fromEntries(
    Object.entries(UPDATES).map(([name, update]) => [`${snakeCase(name).toUpperCase()}_UPDATE`, update]),
  ),
  JOB_FAILED: messages.JOB_FAILED,
  INVALID_MANIFEST: messages.INVALID_MANIFEST,
  MEMO_HASH: MEMO.manifestHash,
  MEMO_SUBMITTED_BY: MEMO.submittedBy,
  MEMO_KEY: MEMO.key,
  MEMO_WHY: MEMO.why,
  MEMO_RERUN_OF: MEMO.rerunOf,
  MEMO_ERROR: MEMO.error,
  LONGEST_SECONDS: messages.LONGEST_SECONDS,
  LARGEST_MANIFEST_BYTES,
};

const KEYS = {
  [SearchAttributeType.KEYWORD]: 'for_keyword',
  [SearchAttributeType.KEYWORD_LIST]: 'for_keyword_list',
  [SearchAttributeType.INT]: 'for_int',
} as const;

/** Returns python/src/signalbox/_names.py: the words of the wire contract, phases and limits. */
export const pythonNames = (): string => `${header('contracts/')}
from temporalio.common import SearchAttributeKey

${Object.entries(NAMES)
  .map(([name, value]) => assignment(name, value))
  .join('')}
${Object.values(SEARCH_ATTRIBUTES)
  .map(({ name, type }) => `${constantOf(name)} = SearchAttributeKey.${KEYS[type]}(${pythonText(name)})\n`)
  .join('')}
PHASES = (${PHASES.map(pythonText).join(', ')})
FINAL_PHASES = frozenset({${FINAL_PHASES.map(pythonText).join(', ')}})


def workflow_id_of(name: str, namespace: str) -> str:
    """Return the default id of a job's workflow: one live job per name."""
    return f"${workflowIdOf({ name: '{name}', namespace: '{namespace}' })}"


def sweep_id_of(name: str, namespace: str) -> str:
    """Return the id of the workflow of a parameter sweep."""
    return f"${parameterSweepIdOf({ name: '{name}', namespace: '{namespace}' })}"
`;

const constantOf = (attribute: string) => snakeCase(attribute).replace(/^_/, '').toUpperCase();
