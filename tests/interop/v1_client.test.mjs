import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { checkContent } from './check_content.mjs';
import { checkNotices } from './check_notifications.mjs';
import { checkQuestions } from './check_server_requests.mjs';
import { checkRevisions } from './check_revisions.mjs';
import { open } from './v1_peer.mjs';

const era = { stateless: false };
checkContent(open, era);
checkQuestions(open, era);
checkNotices(open, era);
checkRevisions(open, SUPPORTED_PROTOCOL_VERSIONS);
