package addone

import "testing"

// panel is a settings view that shows the current method in one line.
var panel = kind{
	name: "panel", readme: "web/README.md", word: "summary", most: 4,
	edits: []edit{
		{"web/app/settings/settings-parts.ts", "import type { SettingsView }", "import { SummaryView } from './summary-view.ts';\n"},
		{"web/app/settings/settings-parts.ts", "    settings.element.querySelector('.knob')?.after(", "    settings.element.querySelector('.knob')?.after(new SummaryView(session).element);\n"},
		{"web/app/words/en/settings.ts", "  headers: {\n", "  summary: (method: string) => `Cut by ${method}.`,\n"},
		{"web/app/words/de/settings.ts", "  headers: {\n", "  summary: (method) => `Geschnitten nach: ${method}.`,\n"},
	},
	unit: []string{"languages", "summary"},
	check: func(t *testing.T, c tree) {
		// A browser would take longer than all the rest, so the view gets a minimal
		// element.
		c.write(t, "web/test/unit/summary.test.ts", []byte(`import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../app/session/session.ts';

test('the line names the method, and follows the settings', async () => {
  const element = { textContent: '', append: () => {}, setAttribute: () => {} };
  Object.assign(globalThis, { document: { createElement: () => element } });
  const { SummaryView } = await import('../../app/settings/summary-view.ts');
  let changed = () => {};
  const choices = { method: { label: 'Semantic' } };
  new SummaryView({ choices, on: (_: string, tell: () => void) => (changed = tell) } as unknown as Session);
  assert.equal(element.textContent, 'Cut by Semantic.');
  choices.method.label = 'Pages';
  changed();
  assert.equal(element.textContent, 'Cut by Pages.');
});
`))
	},
}
