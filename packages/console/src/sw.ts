// The service worker of the console, for agents and merchants. The build writes the files and their version here.
import { keepShell } from '@kissi/web/shell-worker';

keepShell({ page: 'console', version: '__VERSION__-{{names}}', files: JSON.parse('__FILES__'), shown: 'newest' });
