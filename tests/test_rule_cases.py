"""Every case of docs/rules.md has a test that cites it."""

from tests.rule_cases import cases_cited_in, cited_cases, documented_cases

CASES = [case for case, _ in documented_cases()]


def test_the_rules_page_numbers_each_case_once_and_in_order() -> None:
    assert CASES == [f"C{number:03}" for number in range(1, 228)]


def test_every_case_is_cited_by_a_test() -> None:
    assert sorted(set(CASES) - cited_cases()) == []


def test_no_test_cites_a_case_that_is_not_on_the_page() -> None:
    assert sorted(cited_cases() - set(CASES)) == []


def test_a_citation_is_in_the_name_the_docstring_or_a_decorator() -> None:
    source = '''
@pytest.mark.parametrize("length", [pytest.param(6, id="%s164")])
def test_c163_buildings_of_the_same_seat_do_not_interrupt(length):
    """A trail, rules case %s161."""
    assert length  # %s160 in a comment of the body is not a citation

def helper():
    """%s159"""
''' % (("C",) * 4)
    assert cases_cited_in(source) == {"C161", "C163", "C164"}
