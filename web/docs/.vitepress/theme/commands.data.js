import { commands } from '../../scripts/commands.mjs';

export default { load: commands };
