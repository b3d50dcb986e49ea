// The service worker of the wallet. The build writes the files and their version here, the gateway what its pages name as {{…}}.
import { keepShell } from '@kissi/web/shell-worker';

keepShell({ page: 'wallet', version: '__VERSION__-{{names}}', files: JSON.parse('__FILES__'), shown: 'kept' });
