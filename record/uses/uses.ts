/**
 * What a job does with the devices that its pods have; docs/cost.md explains each.
 *
 * @public
 */
export const USES = {
  gang: 'pods have a node and wait for the others',
  starting: 'pods start, or the program has not reported progress yet',
  productive: 'the program made progress that was not lost',
  repeated: 'the program made progress that was lost and done again',
  stalled: 'the program ran without further progress until it failed',
  unknown: 'the program ran; whether it made progress is not known',
  held: 'failed pods were kept for inspection',
  restarting: 'a failure is handled: pods go, and are made again',
  finishing: 'pods go, as the job ends or is suspended',
  spare: 'spares held places for pods',
} as const;

/**
 * A use of devices.
 *
 * @public
 */
export type Use = keyof typeof USES;
