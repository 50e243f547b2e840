import { curves } from '../../scripts/curves.mjs';

export default { load: curves };
