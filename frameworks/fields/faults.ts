/** How faults of manifests are written: as those of every document that a schema checks. */
export { formatFault } from '../../contracts/faults.ts';
export { describeValue, distinct, faultsOf } from '../../contracts/schemas/faults-of.ts';
