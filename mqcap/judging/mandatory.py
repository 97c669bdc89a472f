"""Which rules are mandatory: a breach of theirs is Act, by the site's grading or their own."""

from dataclasses import dataclass

from mqcap.domain.finding import Severity
from mqcap.settings import Settings
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import worst_of
from sizing.rulebook.registry import all_rules


def is_mandatory(settings: Settings, rule: Rule) -> bool:
    """Return whether a breach of the rule is Act; ``grading`` of the settings counts first."""
    return worst_of(rule.traits, settings.grade_policy(rule.id)) is Severity.act


@dataclass(frozen=True)
class MandatoryRules:
    """The mandatory rules of a site, those of its own figures too, by their ids."""

    settings: Settings

    def __contains__(self, rule_id: object) -> bool:
        rule = all_rules().get(rule_id) if isinstance(rule_id, str) else None
        return rule is not None and is_mandatory(self.settings, rule)
