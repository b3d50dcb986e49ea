// The Krio texts of what an agent opens now and then: loaded with these parts, before they are shown.
import { loadTexts } from '../../app/language.ts';

await loadTexts('agent');
