export { shippedObjects } from '../../../frameworks/manifest/references.ts';
export { ADMISSION_POLICIES } from '../../../frameworks/schemas/admission-policies.ts';
export {
  customResourceDefinitions,
  definitionsBesideJobs,
  JOB_RESOURCES,
} from '../../../frameworks/schemas/custom-resources.ts';
