export { ADMISSION_POLICIES } from '../../../frameworks/schemas/admission-policies.ts';
export { customResourceDefinitions, JOB_RESOURCES } from '../../../frameworks/schemas/custom-resources.ts';
