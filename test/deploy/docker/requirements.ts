import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findProgram, missingRequirements } from '@signalbox/sandbox/real-node';
import { missingForImage } from '../../../scripts/image/requirements.ts';
import { POSTGRES_FOLDER } from './stand-ins.ts';

/** Says, a line for each, what this machine lacks to bring up docker-compose.yml. */
export const missingForCompose = (): readonly string[] => [
  // What a node needs is what an engine of Docker needs, but for the engine itself.
  ...missingRequirements(),
  ...missingForImage(),
  ...(existsSync(POSTGRES_FOLDER) ? [] : ['PostgreSQL is missing: apt-get install postgresql']),
  ...(findProgram('go') && spawnSync('go', ['version']).status === 0
    ? []
    : ['Go is missing, to build Temporal, its UI and Docker Compose: https://go.dev/dl']),
];
